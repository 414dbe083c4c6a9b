/** Compiled code of an expression: each class evaluates one construct of the language. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq.code;
