// Attributes of the player's own, on the elements of a page.

/** Where the recorded value of an attribute stands when another, or none, is painted. */
export const RECORDED_PREFIX = "data-pagereel-was-";

/** Names the attributes that the page's element does not have, with spaces between them. */
export const ADDED_ATTRIBUTES = "data-pagereel-new";
