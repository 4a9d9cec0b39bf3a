"""What the pages take in. Forms check the form of input; the rules live in services."""
