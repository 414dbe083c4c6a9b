package dev.pinion.core.model;

/**
 * Name of a task for observers of the engine.
 *
 * @param definition the definition that contains it
 * @param pointer JSON pointer of the task in its document
 */
public record TaskReference(DefinitionKey definition, String pointer) {}
