/** JSON Schema: checks of payloads that are as bounded as any other expression. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.schema;
