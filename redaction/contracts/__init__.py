"""What all floors agree on: types of findings, roles of fields, the interface of a pass, and the policy."""
