package dev.pinion.bootstrap.conformance;

/**
 * A step of a scenario.
 *
 * @param text its sentence, without keyword
 * @param argument the text block below it; empty if there is none
 */
public record ScenarioStep(String text, String argument) {}
