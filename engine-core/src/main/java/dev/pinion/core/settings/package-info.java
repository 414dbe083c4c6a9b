/** What an engine is started with: limits, threads, ports and stages. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.settings;
