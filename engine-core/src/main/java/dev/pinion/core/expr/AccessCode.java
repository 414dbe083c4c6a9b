package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Code that reads parts of values; no other code has outputs with separate paths. */
final class AccessCode {
  private AccessCode() {}

  static Path child(Path path, JsonNode key, JsonNode of, Run run) {
    if (path == Path.LOST) {
      throw new JqError(
          "Invalid path expression near attempt to access element "
              + JsonText.excerpt(key)
              + " of "
              + JsonText.excerpt(of));
    }
    return path.then(key, run);
  }

  /** Reads a part of a value. */
  @FunctionalInterface
  private interface Read {
    JsonNode of(JsonNode value);
  }

  /** Sends a part of a value to the sink; nothing where an optional access fails. */
  private static boolean emit(
      JsonNode value, @Nullable Path path, boolean optional, Read read, Run run, Sink out) {
    JsonNode part;
    try {
      part = read.of(value);
    } catch (JqError e) {
      if (!optional) {
        throw e;
      }
      run.charge(20);
      return true;
    }
    return out.emit(part, path);
  }

  /** {@code .} */
  static final class Identity extends Code {
    static final Identity INSTANCE = new Identity();

    private Identity() {
      super(true, 1);
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.step();
      return in;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      run.step();
      return out.emit(in, path);
    }
  }

  /** {@code .a.b.c} */
  static final class Fields extends Code {
    private final TextNode[] keys;

    Fields(TextNode... keys) {
      super(true, 2);
      this.keys = keys;
    }

    TextNode[] keys() {
      return keys;
    }

    /** This path with another behind it. */
    Fields then(Fields next) {
      TextNode[] all = Arrays.copyOf(keys, keys.length + next.keys.length);
      System.arraycopy(next.keys, 0, all, keys.length, next.keys.length);
      return new Fields(all);
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      run.charge(keys.length);
      JsonNode value = in;
      for (TextNode key : keys) {
        value = Access.field(value, key.textValue(), key);
      }
      return value;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      if (path == null) {
        return out.emit(one(in, env, run), null);
      }
      JsonNode value = in;
      Path at = path;
      for (TextNode key : keys) {
        at = child(at, key, value, run);
        value = Access.field(value, key.textValue(), key);
      }
      return out.emit(value, at);
    }
  }

  /** {@code target[key]}, {@code target[key]?} */
  static final class Index extends Code {
    private final Code target;
    private final Code key;
    private final boolean optional;

    Index(Code target, Code key, boolean optional) {
      super(
          target.single && key.single && !optional,
          target.single && key.single && !optional
              ? 1 + Math.max(target.height, key.height)
              : 7 + target.height + key.height);
      this.target = target;
      this.key = key;
      this.optional = optional;
    }

    boolean optional() {
      return optional;
    }

    Code target() {
      return target;
    }

    Code key() {
      return key;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      JsonNode at = key.one(in, env, run);
      return Access.get(target.one(in, env, run), at, run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      if (single && path == null) {
        return out.emit(one(in, env, run), null);
      }
      return key.each(
          in,
          null,
          env,
          run,
          (at, none) ->
              target.each(
                  in,
                  path,
                  env,
                  run,
                  (value, of) -> {
                    Path next = of == null ? null : child(of, at, value, run);
                    return emit(value, next, optional, v -> Access.get(v, at, run), run, out);
                  }));
    }
  }

  /** {@code target[from:to]}, {@code target[from:to]?} */
  static final class Slice extends Code {
    private final Code target;
    private final Code from;
    private final Code to;
    private final boolean optional;

    Slice(Code target, Code from, Code to, boolean optional) {
      super(
          target.single && from.single && to.single && !optional,
          9 + target.height + from.height + to.height);
      this.optional = optional;
      this.target = target;
      this.from = from;
      this.to = to;
    }

    @Override
    JsonNode one(JsonNode in, @Nullable Env env, Run run) {
      JsonNode end = to.one(in, env, run);
      JsonNode start = from.one(in, env, run);
      return Access.slice(target.one(in, env, run), start, end, run);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return to.each(
          in,
          null,
          env,
          run,
          (end, p) ->
              from.each(
                  in,
                  null,
                  env,
                  run,
                  (start, q) ->
                      target.each(
                          in,
                          path,
                          env,
                          run,
                          (value, of) -> {
                            Path next =
                                of == null ? null : child(of, key(start, end, run), value, run);
                            return emit(
                                value,
                                next,
                                optional,
                                v -> Access.slice(v, start, end, run),
                                run,
                                out);
                          })));
    }

    private static JsonNode key(JsonNode start, JsonNode end, Run run) {
      run.object(2);
      Map<String, JsonNode> members = Json.members(2);
      members.put("start", start);
      members.put("end", end);
      return Json.object(members);
    }
  }

  /** {@code target[]}, {@code target[]?} */
  static final class Iterate extends Code {
    private final Code target;
    private final boolean optional;

    Iterate(Code target, boolean optional) {
      super(false, (target.single ? 3 : 5) + target.height);
      this.target = target;
      this.optional = optional;
    }

    /** Over the items or values of the input. */
    static Iterate input() {
      return new Iterate(Identity.INSTANCE, false);
    }

    boolean optional() {
      return optional;
    }

    Code target() {
      return target;
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      if (path == null && target.single) {
        return iterate(target.one(in, env, run), null, optional, run, out);
      }
      return target.each(in, path, env, run, (value, of) -> iterate(value, of, optional, run, out));
    }

    /** Sends the items of an array or the values of an object to the sink. */
    static boolean iterate(
        JsonNode value, @Nullable Path path, boolean optional, Run run, Sink out) {
      if (path == Path.LOST) {
        throw new JqError(
            "Invalid path expression near attempt to iterate through " + JsonText.excerpt(value));
      }
      if (value.isArray()) {
        return items(value, path, run, out);
      }
      if (value instanceof ObjectNode object) {
        return members(object, path, run, out);
      }
      if (optional) {
        run.charge(20);
        return true;
      }
      throw cannotIterate(value);
    }

    static JqError cannotIterate(JsonNode value) {
      return new JqError("Cannot iterate over " + (value.isNull() ? "null" : Json.describe(value)));
    }

    private static boolean items(JsonNode array, @Nullable Path path, Run run, Sink out) {
      int size = array.size();
      for (int i = 0; i < size; i++) {
        run.step();
        Path next = path == null ? null : path.then(Json.number((long) i), run);
        if (!out.emit(array.get(i), next)) {
          return false;
        }
      }
      return true;
    }

    private static boolean members(ObjectNode object, @Nullable Path path, Run run, Sink out) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        run.step();
        Path next = path == null ? null : path.then(TextNode.valueOf(member.getKey()), run);
        if (!out.emit(member.getValue(), next)) {
          return false;
        }
      }
      return true;
    }
  }

  /** {@code ..}: a value and everything below it, outer first. */
  static final class Descent extends Code {
    static final Descent INSTANCE = new Descent();

    private Descent() {
      super(false, 3);
    }

    @Override
    boolean each(JsonNode in, @Nullable Path path, @Nullable Env env, Run run, Sink out) {
      return new Walk(run, out).emit(in, path);
    }

    /** Passes on a value, then everything below it; takes three Java frames a level. */
    private record Walk(Run run, Sink out) implements Sink {
      @Override
      public boolean emit(JsonNode value, @Nullable Path path) {
        run.step();
        if (!out.emit(value, path)) {
          return false;
        }
        if (!value.isContainerNode()) {
          return true;
        }
        run.enter(6);
        boolean more = Iterate.iterate(value, path, false, run, this);
        run.leave(6);
        return more;
      }
    }
  }
}
