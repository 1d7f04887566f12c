"""Packs that come with the program: what is known of one domain each. The rest of the program imports none of them."""
