/** Definition to process graph in named passes, with all problems at once. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.language;
