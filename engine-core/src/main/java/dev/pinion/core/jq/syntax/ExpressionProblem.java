package dev.pinion.core.jq.syntax;

import org.jspecify.annotations.Nullable;

/**
 * The reason why an expression was not compiled.
 *
 * @param offset position in the source, in UTF-16 units from 0
 * @param message what was expected and what was found
 * @param suggestion the text that was probably meant, or null
 */
public record ExpressionProblem(int offset, String message, @Nullable String suggestion) {}
