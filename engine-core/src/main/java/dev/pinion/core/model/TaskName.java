package dev.pinion.core.model;

/**
 * Names a task for who watches the engine.
 *
 * @param definition the definition that it is in
 * @param pointer JSON pointer of the task in its document
 */
public record TaskName(DefinitionKey definition, String pointer) {}
