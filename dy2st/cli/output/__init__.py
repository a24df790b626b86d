"""What a command shows, and how: a Report is printed as plain lines, in colours, or as JSON."""
