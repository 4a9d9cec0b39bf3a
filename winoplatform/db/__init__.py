"""What every table and query uses: connections, constraints, locks, COPY, prepared queries."""
