"""The pack of second-hand bookshops: what users do there, with which books, in which words."""
