/** The functions of jq, in Java and in jq. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq.builtin;
