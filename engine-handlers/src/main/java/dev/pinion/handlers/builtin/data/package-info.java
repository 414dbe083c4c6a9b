/** Handlers that validate and enrich bodies with schemas and reference tables. */
@org.jspecify.annotations.NullMarked
package dev.pinion.handlers.builtin.data;
