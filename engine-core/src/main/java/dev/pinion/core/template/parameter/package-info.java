/** Parameters and forms of operations (OpenAPI), as templates: each value in its style. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.template.parameter;
