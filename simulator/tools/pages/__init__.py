"""What tools know of pages: what a field means, what a selector points at, how a form is sent."""
