/** Tests of XML and its JSON form. */
@org.jspecify.annotations.NullMarked
package dev.pinion.core.xml;
