package dev.pinion.handlers.builtin.state;

import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.HandlerProblem;
import dev.pinion.handlers.builtin.PointerSetting;
import dev.pinion.handlers.builtin.SharedFiles;
import dev.pinion.handlers.builtin.TextSelector;
import dev.pinion.handlers.builtin.security.FieldCipher;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the state of named resources: reads it into a message, or prepares a change of it that the
 * partner {@code resource-commit} commits.
 */
public final class ResourceFactory implements HandlerFactory {
  private static final int MAX_NAME = 256;
  private static final int MAX_VALUE = 1 << 20;

  /** A version as a number, or in the form of an entity tag. */
  private static final Pattern VERSION = Pattern.compile("\"?([1-9][0-9]{0,17})\"?");

  private final Clock clock;

  /** Operation on a resource. */
  enum ResourceOperation {
    /** Reads it. */
    GET,
    /** Creates it. */
    INSERT,
    /** Replaces its value. */
    UPDATE,
    /** Deletes it. */
    DELETE
  }

  /** For the service loader. */
  public ResourceFactory() {
    this(Clock.system());
  }

  ResourceFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "resource";
  }

  @Override
  public String summary() {
    return "Reads, inserts, updates and deletes the state of named resources, by versions.";
  }

  @Override
  public Handler create(Settings settings) {
    ResourceOperation resourceOperation = settings.choice("operation", ResourceOperation.GET);
    boolean gets = resourceOperation == ResourceOperation.GET;
    boolean brings =
        resourceOperation == ResourceOperation.INSERT
            || resourceOperation == ResourceOperation.UPDATE;
    TextSelector name = TextSelector.of(settings, "name");
    if (name == null) {
      settings.problem(
          "name", "expected where the name of the resource is, such as body:/name, found none");
      name = new TextSelector(Slot.property("name"));
    }
    ResourceSlots resourceSlots =
        new ResourceSlots(
            name,
            gets || resourceOperation == ResourceOperation.INSERT
                ? null
                : TextSelector.of(settings, "version"),
            brings ? PointerSetting.slot(settings, "value") : null,
            gets ? PointerSetting.slot(settings, "target") : null,
            gets || brings ? optional(settings, "versionTarget") : null);
    if (gets) {
      boolean required = settings.flag("required", true);
      return new GetHandler(resourceSlots, required, ResourceTable.opened(settings));
    }
    ResourceBounds resourceBounds =
        new ResourceBounds(
            settings.integer("maxResources", 100_000, 1, 1_000_000),
            settings.integer("maxValueBytes", 64 * 1_024, 2, MAX_VALUE),
            settings.duration("patience", Duration.ofMinutes(1), Duration.ofHours(1)).toMillis());
    return new ChangeHandler(
        resourceOperation, resourceSlots, resourceBounds, ResourceTable.opened(settings), clock);
  }

  private static Slot.@Nullable Json optional(Settings settings, String name) {
    return settings.has(name) ? PointerSetting.slot(settings, name) : null;
  }

  /**
   * Places in the message.
   *
   * @param name place of the resource's name
   * @param version place of the required version, or null when any will do
   * @param value place of the new value
   * @param target destination of the value that is read
   * @param versionTarget destination of the version, or null
   */
  private record ResourceSlots(
      TextSelector name,
      @Nullable TextSelector version,
      Slot.@Nullable Json value,
      Slot.@Nullable Json target,
      Slot.@Nullable Json versionTarget) {
    Declaration declaration() {
      Declaration declared =
          Declaration.NOTHING.reading(name.slot()).stopping().mandatory().with(Work.IO);
      declared = version == null ? declared : declared.reading(version.slot());
      declared = value == null ? declared : declared.reading(value);
      declared = target == null ? declared : declared.writing(target);
      return versionTarget == null ? declared : declared.writing(versionTarget);
    }

    Changes versioned(Changes changes, long number) {
      return versionTarget == null
          ? changes
          : changes.json(versionTarget.pointer(), Payload.of(number));
    }

    @Nullable String nameIn(View message) throws PayloadSyntaxException {
      String found = name.read(message);
      return found == null || found.isEmpty() || found.length() > MAX_NAME ? null : found;
    }

    Verdict withoutName() {
      return HandlerProblem.INVALID.refuse(
          "expected the name of a resource, of 1 to "
              + MAX_NAME
              + " characters, at "
              + name.slot()
              + ", found none");
    }
  }

  private record ResourceBounds(int maxResources, int maxValueBytes, long patienceMillis) {}

  private record GetHandler(
      ResourceSlots places, boolean required, SharedFiles.Lease<ResourceTable> table)
      implements Handler {
    @Override
    public Declaration declaration() {
      return places.declaration();
    }

    @Override
    public Verdict handle(View message) throws SQLException, PayloadSyntaxException {
      String name = places.nameIn(message);
      if (name == null) {
        return places.withoutName();
      }
      ResourceTable.Resource found = table.value().find(name);
      if (found == null) {
        return required ? absent(name) : Verdict.UNCHANGED;
      }
      byte[] value = found.value().getBytes(StandardCharsets.UTF_8);
      Payload read = FieldCipher.CODEC.read(value, 0, value.length);
      String target = places.target == null ? "" : places.target.pointer();
      return Verdict.goOn(places.versioned(Changes.NONE.json(target, read), found.version()));
    }

    @Override
    public void close() {
      table.close();
    }
  }

  private static Verdict absent(String name) {
    return HandlerProblem.NO_RESOURCE.refuse(
        "expected a resource of the name \"" + name + "\", found none");
  }

  private record ChangeHandler(
      ResourceOperation operation,
      ResourceSlots places,
      ResourceBounds bounds,
      SharedFiles.Lease<ResourceTable> table,
      Clock clock)
      implements Handler {
    @Override
    public Declaration declaration() {
      return places.declaration().with(EffectClass.TRANSACTIONAL);
    }

    @Override
    public Verdict handle(View message) throws SQLException, PayloadSyntaxException {
      String name = places.nameIn(message);
      if (name == null) {
        return places.withoutName();
      }
      String value = places.value == null ? null : value(message, places.value);
      if (places.value != null && value == null) {
        return HandlerProblem.INVALID.refuse(
            "expected a value of at most "
                + bounds.maxValueBytes
                + " bytes at "
                + places.value
                + ", found none or a larger one");
      }
      long expected = ResourceTable.ABSENT;
      if (places.version != null) {
        String text = places.version.read(message);
        Matcher version = VERSION.matcher(text == null ? "" : text);
        if (!version.matches()) {
          return HandlerProblem.INVALID.refuse(
              "expected a version such as 7 or \"7\" at " + places.version.slot() + ", found none");
        }
        expected = Long.parseLong(version.group(1));
      }
      boolean insert = operation == ResourceOperation.INSERT;
      ResourceTable.Prepared prepared =
          table
              .value()
              .prepare(
                  new ResourceTable.TableChange(message.id(), name, value, insert, expected),
                  clock.epochMillis(),
                  bounds.patienceMillis,
                  bounds.maxResources);
      return verdict(name, prepared);
    }

    private @Nullable String value(View message, Slot.Json at) throws PayloadSyntaxException {
      Payload value = message.json(at.pointer());
      byte[] bytes = value == null ? null : FieldCipher.CODEC.toExactBytes(value);
      return bytes == null || bytes.length > bounds.maxValueBytes
          ? null
          : new String(bytes, StandardCharsets.UTF_8);
    }

    private Verdict verdict(String name, ResourceTable.Prepared prepared) {
      String resource = "the resource \"" + name + "\"";
      return switch (prepared.kind()) {
        case DONE -> Verdict.goOn(places.versioned(Changes.NONE, prepared.version()));
        case ABSENT -> absent(name);
        case EXISTS ->
            HandlerProblem.RESOURCE_EXISTS.refuse(
                "expected no " + resource.substring(4) + ", found version " + prepared.version());
        case CHANGED ->
            HandlerProblem.RESOURCE_CHANGED.refuse(
                "expected another version of "
                    + resource
                    + ", found version "
                    + prepared.version()
                    + "; read it again");
        case BUSY ->
            HandlerProblem.RESOURCE_BUSY.refuse(
                "expected that nobody changes " + resource + ", found another message doing so",
                "retry-after",
                "1");
        case FULL ->
            HandlerProblem.OVERLOADED.refuse(
                "expected room for "
                    + resource
                    + ", found "
                    + bounds.maxResources
                    + " resources (maxResources)",
                "retry-after",
                "60");
      };
    }

    @Override
    public void close() {
      table.close();
    }
  }
}
