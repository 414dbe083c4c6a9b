package dev.pinion.bootstrap.diagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Colours can be read, on light and on dark screens (WCAG 2.2: 4.5 for text, 3 for lines). */
class PictureStyleTest {
  private static final Pattern RULE = Pattern.compile("([.a-z, ]+) \\{([^{}]*)\\}");
  private static final Pattern COLOUR = Pattern.compile("(fill|stroke): (#[0-9a-f]{6})");
  private static final List<String> GROUNDS =
      List.of("ground", "frame", "inner", "step", "handler", "undo", "plate");

  private static Map<String, String> colours(String sheet) {
    Map<String, String> colours = new HashMap<>();
    Matcher rules = RULE.matcher(sheet);
    while (rules.find()) {
      for (String selector : rules.group(1).strip().split(", *", -1)) {
        Matcher colour = COLOUR.matcher(rules.group(2));
        while (colour.find()) {
          colours.put(selector.substring(1) + " " + colour.group(1), colour.group(2));
        }
      }
    }
    return colours;
  }

  private static double contrast(Map<String, String> colours, String one, String other) {
    double a = luminance(Objects.requireNonNull(colours.get(one), one));
    double b = luminance(Objects.requireNonNull(colours.get(other), other));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(String colour) {
    int rgb = Integer.parseInt(colour.substring(1), 16);
    return 0.2126 * channel(rgb >> 16) + 0.7152 * channel(rgb >> 8) + 0.0722 * channel(rgb);
  }

  private static double channel(int value) {
    double share = (value & 255) / 255.0;
    return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
  }

  @Test
  void shouldBeReadableOnLightAndDarkScreens() {
    int dark = PictureStyle.SHEET.indexOf("@media");
    Map<String, String> light = colours(PictureStyle.SHEET.substring(0, dark));
    Map<String, String> inTheDark = new HashMap<>(light);
    inTheDark.putAll(colours(PictureStyle.SHEET.substring(dark)));
    for (Map<String, String> colours : List.of(light, inTheDark)) {
      for (String ground : GROUNDS) {
        for (String text : List.of("name", "kind", "detail", "label")) {
          double contrast = contrast(colours, text + " fill", ground + " fill");
          assertTrue(contrast >= 4.5, text + " on " + ground + ": " + contrast);
        }
      }
      for (String ground : List.of("ground", "frame", "inner", "handler", "undo")) {
        for (String line :
            List.of(
                "flow stroke",
                "caught stroke",
                "undone stroke",
                "tip fill",
                "step stroke",
                "event stroke")) {
          double contrast = contrast(colours, line, ground + " fill");
          assertTrue(contrast >= 3, line + " on " + ground + ": " + contrast);
        }
      }
      assertTrue(contrast(colours, "mark stroke", "event fill") >= 3);
      assertTrue(contrast(colours, "mark stroke", "error fill") >= 3);
    }
  }

  @Test
  void shouldChangeEveryColourInTheDark() {
    int dark = PictureStyle.SHEET.indexOf("@media");
    Map<String, String> light = colours(PictureStyle.SHEET.substring(0, dark));
    Map<String, String> inTheDark = colours(PictureStyle.SHEET.substring(dark));
    assertEquals(light.keySet(), inTheDark.keySet());
  }
}
