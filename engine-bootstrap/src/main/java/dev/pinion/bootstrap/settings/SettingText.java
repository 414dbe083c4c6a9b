package dev.pinion.bootstrap.settings;

/**
 * Text of a setting and its origin.
 *
 * @param text the value as written
 * @param origin its source, for error messages
 */
record SettingText(String text, String origin) {}
