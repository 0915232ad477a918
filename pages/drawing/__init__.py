"""Charts, colours and cards that topics share."""
