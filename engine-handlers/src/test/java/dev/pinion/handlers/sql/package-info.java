/** Tests of {@code handlers.sql}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.sql;
