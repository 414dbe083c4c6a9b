/** Compiler from jq source to closures. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq;
