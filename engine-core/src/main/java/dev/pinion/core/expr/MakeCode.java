package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Code that makes values: constants, arrays, objects, strings. */
final class MakeCode {
  private MakeCode() {}

  /** A value known when the expression was compiled. */
  static final class Constant extends Code.Value {
    final JsonNode value;

    Constant(JsonNode value) {
      super(1);
      this.value = value;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      return value;
    }
  }

  /** {@code [items]} */
  static final class Collect extends Code.Value {
    private final Code items;

    Collect(Code items) {
      super(4 + items.height);
      this.items = items;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      return Json.array(collect(items, in, env, run));
    }
  }

  /** An array of a fixed number of items. */
  static final class PlainArray extends Code.Value {
    private final Code[] items;

    PlainArray(Code... items) {
      super(1 + FlowCode.maxHeight(items));
      this.items = items;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.array(items.length);
      List<JsonNode> list = new ArrayList<>(items.length);
      for (Code item : items) {
        list.add(item.one(in, env, run));
      }
      return Json.array(list);
    }
  }

  /** Steps for an element that is kept: it stays in memory, which a step that only looks does not. */
  private static final int KEPT = 8;

  /** All outputs of code. */
  static List<JsonNode> collect(Code items, JsonNode in, @Nullable Env env, Run run) {
    run.charge(3);
    List<JsonNode> list = new ArrayList<>();
    if (items.single) {
      list.add(items.one(in, env, run));
      return list;
    }
    items.each(
        in,
        null,
        env,
        run,
        (item, none) -> {
          run.charge(KEPT);
          if (list.size() * 2L > run.maxBytes()) {
            throw run.tooLarge("an array of more than " + list.size() + " elements");
          }
          return list.add(item);
        });
    return list;
  }

  /** An object whose keys are constant and whose values are single: the usual kind. */
  static final class PlainObject extends Code.Value {
    private final String[] keys;
    private final Code[] values;

    PlainObject(String[] keys, Code[] values) {
      super(1 + FlowCode.maxHeight(values));
      this.keys = keys;
      this.values = values;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.object(keys.length / 2);
      Map<String, JsonNode> members = Json.members(keys.length);
      for (int i = 0; i < keys.length; i++) {
        members.put(keys[i], values[i].one(in, env, run));
      }
      return Json.object(members);
    }
  }

  /** An object for every combination of the outputs of its keys and values, the last fastest. */
  static final class AnyObject extends Code {
    private final Code[] keys;
    private final Code[] values;

    AnyObject(Code[] keys, Code[] values) {
      super(false, 2 + height(keys) + height(values));
      this.keys = keys;
      this.values = values;
    }

    private static int height(Code... codes) {
      int sum = 0;
      for (Code code : codes) {
        sum += code.height + 3; // a loop, and the two frames of a lambda
      }
      return sum;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return member(
          0,
          new Object[keys.length * 2],
          in,
          env,
          run,
          object -> out.emit(object, Path.lost(path)));
    }

    private boolean member(
        int i, Object[] chosen, JsonNode in, @Nullable Env env, Run run, Complete complete) {
      if (i == keys.length) {
        return complete.object(make(chosen, run));
      }
      return keys[i].each(
          in,
          null,
          env,
          run,
          (key, p) -> {
            String name = key(key);
            return values[i].each(
                in,
                null,
                env,
                run,
                (value, q) -> {
                  chosen[2 * i] = name;
                  chosen[2 * i + 1] = value;
                  return member(i + 1, chosen, in, env, run, complete);
                });
          });
    }

    private static String key(JsonNode key) {
      if (key.isTextual()) {
        return key.textValue();
      }
      throw new JqError("Object keys must be strings, found " + Json.describe(key));
    }

    private JsonNode make(Object[] chosen, Run run) {
      run.object(keys.length);
      Map<String, JsonNode> members = LinkedHashMap.newLinkedHashMap(keys.length);
      for (int i = 0; i < chosen.length; i += 2) {
        members.put((String) chosen[i], (JsonNode) chosen[i + 1]);
      }
      return Json.object(members);
    }
  }

  private interface Complete {
    boolean object(JsonNode object);
  }

  /** A string with interpolations; for every combination of their outputs, the first fastest. */
  static final class Interpolation extends Code {
    private final String[] texts;
    private final Code[] holes;
    private final Formats.Format format;

    Interpolation(String[] texts, Code[] holes, Formats.Format format) {
      super(allSingle(holes), height(holes));
      this.texts = texts;
      this.holes = holes;
      this.format = format;
    }

    private static int height(Code... holes) {
      int sum = 2;
      int most = 0;
      for (Code hole : holes) {
        sum += hole.height + 4;
        most = Math.max(most, hole.height);
      }
      return allSingle(holes) ? most + 2 : sum;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      String[] filled = new String[holes.length];
      for (int i = holes.length - 1; i >= 0; i--) {
        filled[i] = format.apply(holes[i].one(in, env, run), run);
      }
      return join(filled, run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return hole(
          holes.length - 1,
          new String[holes.length],
          in,
          env,
          run,
          (v, p) -> out.emit(v, Path.lost(path)));
    }

    private boolean hole(
        int i, String[] filled, JsonNode in, @Nullable Env env, Run run, Sink out) {
      if (i < 0) {
        return out.emit(join(filled, run), null);
      }
      return holes[i].each(
          in,
          null,
          env,
          run,
          (value, p) -> {
            filled[i] = format.apply(value, run);
            return hole(i - 1, filled, in, env, run, out);
          });
    }

    private JsonNode join(String[] filled, Run run) {
      long length = texts[0].length();
      for (int i = 0; i < filled.length; i++) {
        length += filled[i].length() + texts[i + 1].length();
      }
      run.text(length);
      StringBuilder text = new StringBuilder((int) length).append(texts[0]);
      for (int i = 0; i < filled.length; i++) {
        text.append(filled[i]).append(texts[i + 1]);
      }
      return TextNode.valueOf(text.toString());
    }
  }

  static boolean allSingle(Code... codes) {
    for (Code code : codes) {
      if (!code.single) {
        return false;
      }
    }
    return true;
  }
}
