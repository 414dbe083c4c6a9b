/** Lexer, parser and syntax tree of jq. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.jq.syntax;
