"""Define the types that all parts of the redaction share: findings, roles of fields, the interface of a sink, and the policy."""
