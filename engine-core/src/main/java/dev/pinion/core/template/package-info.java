/** Calls, errors, durations, URIs and JSON values made of expressions. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.template;
