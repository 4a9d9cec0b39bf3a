"""Events of all processes, counted in Redis, for `validation.exports.metrics`."""
