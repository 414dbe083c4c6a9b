package dev.pinion.core.template.parameter;

/**
 * The form of a parameter in a request.
 *
 * @param name its name
 * @param style how its value becomes text
 * @param explode whether items of arrays and members of objects stand apart
 * @param allowReserved whether characters that mean something in a URI are kept in its value, as
 *     far as they cannot end it
 */
public record StyledParameter(
    String name, ParameterStyle style, boolean explode, boolean allowReserved) {}
