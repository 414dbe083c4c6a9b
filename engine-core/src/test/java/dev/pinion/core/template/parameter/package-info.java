/** Tests of {@code core.template.parameter}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.template.parameter;
