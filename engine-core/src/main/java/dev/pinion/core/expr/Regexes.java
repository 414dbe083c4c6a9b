package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions, in linear time by RE2: look-around and back references are refused.
 *
 * <p>RE2 takes time in proportion to pattern times text, so that is what is charged.
 */
final class Regexes {
  private static final int MAX_PATTERN = 1_000;

  private Regexes() {}

  static void register(Builtins.Registry registry) {
    registry.value("test", 2, (in, a, run) -> Json.bool(search(in, a[0], a[1], true, run) != null));
    registry.filter("match", 2, a -> new Matches(a[0], a[1]));
    registry.value("split", 2, (in, a, run) -> split(in, a[0], a[1], run));
    registry.value("_captures", Regexes::captures);
  }

  /** {@code match(re; flags)}: one output for each match */
  private static final class Matches extends Code {
    private final Code matches;

    Matches(Code pattern, Code flags) {
      super(false, 20 + pattern.height + flags.height);
      this.matches =
          new ApplyCode.ApplyN(
              (in, a, run) -> {
                List<JsonNode> found = search(in, a[0], a[1], false, run);
                return found == null ? Json.EMPTY_ARRAY : Json.array(found);
              },
              pattern,
              flags);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      Path lost = Path.lost(path);
      return matches.each(
          in,
          null,
          env,
          run,
          (all, p) ->
              AccessCode.Iterate.iterate(all, null, run, (match, q) -> out.emit(match, lost)));
    }
  }

  /** The matches, none but found when only a test was asked for; null when nothing matches. */
  private static @Nullable List<JsonNode> search(
      JsonNode in, JsonNode pattern, JsonNode flags, boolean testOnly, Run run) {
    if (pattern.isArray()) {
      JsonNode own = pattern.size() > 1 ? pattern.get(1) : Json.NULL;
      return search(in, pattern.path(0), own, testOnly, run);
    }
    String text = Json.text(in, "cannot be matched, as it is not a string");
    Regex regex = compile(pattern, flags, text, run);
    Matcher matcher = regex.pattern.matcher(text);
    List<JsonNode> found = null;
    Positions positions = new Positions(text, run);
    int from = 0;
    while (from <= text.length() && matcher.find(from)) {
      found = found == null ? new ArrayList<>() : found;
      if (testOnly) {
        return found;
      }
      if (!regex.skipEmpty || matcher.end() > matcher.start()) {
        found.add(match(matcher, regex, positions, run));
      }
      if (!regex.global) {
        return found;
      }
      from = matcher.end() > matcher.start() ? matcher.end() : next(text, matcher.end());
      run.charge(
          1 + (long) regex.cost * Math.min(text.length() - Math.min(from, text.length()), 64) / 64);
    }
    return found;
  }

  private static int next(String text, int at) {
    return at < text.length() ? text.offsetByCodePoints(at, 1) : at + 1;
  }

  private record Regex(
      Pattern pattern, List<String> names, boolean global, boolean skipEmpty, int cost) {}

  private static Regex compile(JsonNode pattern, JsonNode flags, String text, Run run) {
    String source = Json.text(pattern, "cannot be matched, as it is not a string");
    if (source.length() > MAX_PATTERN) {
      throw new JqError(
          "expected a regular expression of at most "
              + MAX_PATTERN
              + " characters, found "
              + source.length());
    }
    if (!flags.isNull() && !flags.isTextual()) {
      throw new JqError(Json.describe(flags) + " is not a string");
    }
    int options = 0;
    boolean global = false;
    boolean skipEmpty = false;
    boolean extended = false;
    for (char flag : (flags.isNull() ? "" : flags.textValue()).toCharArray()) {
      switch (flag) {
        case 'g' -> global = true;
        case 'i' -> options |= Pattern.CASE_INSENSITIVE;
        case 's' -> options |= Pattern.DOTALL;
        case 'p' -> options |= Pattern.DOTALL;
        case 'n' -> skipEmpty = true;
        case 'x' -> extended = true;
        case 'l' -> options |= 0;
        default -> throw new JqError(flags.textValue() + " is not a valid modifier string");
      }
    }
    return compile(extended ? condense(source) : source, options, global, skipEmpty, text, run);
  }

  private static Regex compile(
      String source, int options, boolean global, boolean skipEmpty, String text, Run run) {
    run.charge(100 + source.length() * 40L);
    try {
      Pattern compiled = Pattern.compile(source, options);
      int cost = compiled.programSize();
      run.charge(cost * 2L + (long) cost * text.length() / 8);
      return new Regex(compiled, GroupNames.of(compiled), global, skipEmpty, cost);
    } catch (PatternSyntaxException e) {
      throw new JqError(source + " (at offset 0) is not a valid regex: " + e.getDescription());
    }
  }

  /** Takes blanks and comments out of a pattern with the flag {@code x}. */
  private static String condense(String source) {
    StringBuilder out = new StringBuilder();
    boolean inClass = false;
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '\\' && i + 1 < source.length()) {
        out.append(c).append(source.charAt(++i));
      } else if (c == '#' && !inClass) {
        int end = source.indexOf('\n', i);
        i = end < 0 ? source.length() : end;
      } else if (inClass || !Character.isWhitespace(c)) {
        inClass = c == '[' || (inClass && c != ']');
        out.append(c);
      }
    }
    return out.toString();
  }

  /** Turns ascending offsets of UTF-16 units into positions of code points. */
  private static final class Positions {
    private final String text;
    private final Run run;
    private int counted;
    private int points;

    Positions(String text, Run run) {
      this.text = text;
      this.run = run;
    }

    int of(int offset) {
      if (offset < counted) {
        counted = 0;
        points = 0;
      }
      run.scanText(offset - counted);
      points += text.codePointCount(counted, offset);
      counted = offset;
      return points;
    }
  }

  private static JsonNode match(Matcher matcher, Regex regex, Positions positions, Run run) {
    Map<String, JsonNode> match = group(matcher, 0, positions, run);
    List<JsonNode> captures = new ArrayList<>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      Map<String, JsonNode> capture = group(matcher, i, positions, run);
      String name = regex.names.get(i - 1);
      capture.put("name", name.isEmpty() ? Json.NULL : TextNode.valueOf(name));
      captures.add(Json.object(capture));
    }
    match.put("captures", Json.array(captures));
    return Json.object(match);
  }

  private static Map<String, JsonNode> group(
      Matcher matcher, int group, Positions positions, Run run) {
    run.object(4);
    Map<String, JsonNode> members = Json.members(4);
    String text = matcher.group(group);
    int offset = text == null ? -1 : positions.of(matcher.start(group));
    int length = text == null ? 0 : text.codePointCount(0, text.length());
    members.put("offset", Json.number((long) offset));
    members.put("length", Json.number((long) length));
    members.put("string", text == null ? Json.NULL : run.textNode(text));
    return members;
  }

  private static JsonNode captures(JsonNode match, Run run) {
    Map<String, JsonNode> members = Json.members(4);
    for (JsonNode capture : match.path("captures")) {
      JsonNode name = capture.path("name");
      if (name.isTextual()) {
        run.object(1);
        members.put(name.textValue(), capture.path("string"));
      }
    }
    return Json.object(members);
  }

  private static JsonNode split(JsonNode in, JsonNode pattern, JsonNode flags, Run run) {
    JsonNode global =
        TextNode.valueOf("g" + (flags.isNull() ? "" : Json.text(flags, "is not a string")));
    List<JsonNode> matches = search(in, pattern, global, false, run);
    String text = in.textValue();
    List<JsonNode> pieces = new ArrayList<>();
    int from = 0;
    int points = 0;
    for (JsonNode match : matches == null ? List.<JsonNode>of() : matches) {
      int start = text.offsetByCodePoints(from, match.path("offset").intValue() - points);
      pieces.add(run.textNode(text.substring(from, start)));
      points = match.path("offset").intValue() + match.path("length").intValue();
      from = text.offsetByCodePoints(start, match.path("length").intValue());
    }
    pieces.add(run.textNode(text.substring(from)));
    return Json.array(pieces);
  }
}
