/**
 * Fields of definitions: reads them, compiles the expressions in them and the variables that these
 * see, and reports problems at their places.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language.field;
