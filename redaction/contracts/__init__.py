"""Hold what all parts of the redaction share: types of findings, roles of fields, the interface of a sink, and the policy."""
