/** Compiler from jq source to closures, and the closures. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq;
