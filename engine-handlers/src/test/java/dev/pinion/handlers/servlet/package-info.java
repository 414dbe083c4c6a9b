/** Tests of {@code handlers.servlet}. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.servlet;
