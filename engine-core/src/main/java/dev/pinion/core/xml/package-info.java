/** XML documents and their JSON form, within limits. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.xml;
