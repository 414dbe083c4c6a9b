/** YAML and JSON trees with positions in their text. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.document;
