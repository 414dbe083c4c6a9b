/**
 * Documents to which definitions refer, fetched from allowed folders and URLs when a definition is
 * deployed.
 */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.resource;
