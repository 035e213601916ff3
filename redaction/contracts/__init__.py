"""Hold what all floors share: types of findings, roles of fields, the interface of a pass, and the policy."""
