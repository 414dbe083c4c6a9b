package dev.pinion.core.model.cost;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Heap bytes of the parts of a JSON tree: objects of a 64-bit JVM with compressed references,
 * rounded up. Replays depend on these numbers, so they must not change.
 */
public final class HeapCost {
  /** An object node with its map. */
  private static final int OBJECT = 80;

  /** An entry of the map with its share of the table, which is at most half empty. */
  private static final int MEMBER = 56;

  /** The table of a map with few entries. */
  private static final int TABLE = 80;

  /** An array node with its list. */
  private static final int ARRAY = 48;

  /** A reference of a list that has grown. */
  private static final int ITEM = 6;

  private static final int ARRAY_HEADER = 16;
  private static final int STRING = 40;
  private static final int TEXT = 16 + STRING;
  private static final int NUMBER = 24;
  private static final long BIG_NUMBER = 120;

  private HeapCost() {}

  /** An object of so many members, without their names and values. */
  static long object(int members) {
    return members == 0 ? OBJECT : OBJECT + TABLE + (long) MEMBER * members;
  }

  /** An object of at least one member, without its members. */
  public static long objectOfFew() {
    return OBJECT + TABLE;
  }

  /** A member whose name has so many characters, without its value. */
  public static long member(int chars) {
    return MEMBER + name(chars);
  }

  /** The name of a member. */
  static long name(int chars) {
    return STRING + (long) chars;
  }

  /** An array of so many items, without these. */
  public static long array(int items) {
    return items == 0 ? ARRAY : ARRAY + ARRAY_HEADER + (long) ITEM * items;
  }

  /** A reference in an array. */
  public static long item() {
    return ITEM;
  }

  /** A text of so many characters, each of which may take two bytes. */
  public static long text(int chars) {
    return TEXT + 2L * chars;
  }

  /** A number of so many characters. */
  static long number(int chars) {
    return chars <= 18 ? NUMBER : BIG_NUMBER + (long) chars;
  }

  /** A value that is neither an object nor an array. */
  static long scalar(JsonNode json) {
    if (json.isTextual()) {
      return text(json.textValue().length());
    }
    if (json.isBigInteger()) {
      return BIG_NUMBER + json.bigIntegerValue().bitLength() / 3;
    }
    if (json.isBigDecimal()) {
      return BIG_NUMBER + json.decimalValue().precision();
    }
    return json.isNumber() ? NUMBER : 0;
  }
}
