"""What pages share: session, address, widgets, cache; each folder serves one page."""
