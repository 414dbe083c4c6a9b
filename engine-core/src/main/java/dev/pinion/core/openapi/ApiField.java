package dev.pinion.core.openapi;

import dev.pinion.core.template.parameter.FormField;

/**
 * A member of a body.
 *
 * @param required whether every body must have it, as far as the document says so by its fields
 * @param form how a form has it
 */
public record ApiField(boolean required, FormField form) {}
