package dev.pinion.core.schema;

/**
 * The reason why a JSON document is not a usable schema.
 *
 * @param pointer JSON pointer into the schema; empty for the whole
 * @param message the expectation and the value found
 */
public record SchemaProblem(String pointer, String message) {}
