package dev.pinion.core.schema;

/**
 * Why a JSON document is not a schema that can be used.
 *
 * @param pointer JSON pointer into the schema; empty for the whole
 * @param message what was expected and what was found
 */
public record SchemaProblem(String pointer, String message) {}
