// Attributes of the player's own, on the elements of a page.

/** The prefix of the attribute that holds an attribute's recorded value while another value, or none, is painted. */
export const RECORDED_VALUE_PREFIX = "data-pagereel-was-";

/**
 * The attribute that lists, separated by spaces, the attributes which the player set and the page's element does not
 * have.
 */
export const ADDED_ATTRIBUTES = "data-pagereel-new";
