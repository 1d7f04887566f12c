"""What is done with recordings as files: checked, promoted, pruned, masked, described, read from playbooks."""
