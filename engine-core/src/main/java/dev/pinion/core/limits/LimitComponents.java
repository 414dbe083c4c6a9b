package dev.pinion.core.limits;

import static java.util.stream.Collectors.toMap;

import dev.pinion.core.model.SpellingSuggestion;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reader and builder of {@link EngineLimits} by the names of its record components. */
final class LimitComponents {
  /** Every bound, in order. */
  static final List<EngineLimits.Row> ROWS = rows();

  /** Every bound at its default. */
  static final EngineLimits DEFAULTS =
      rebuild(ROWS.stream().collect(toMap(EngineLimits.Row::name, EngineLimits.Row::usual)));

  private LimitComponents() {}

  private static List<EngineLimits.Row> rows() {
    List<EngineLimits.Row> rows = new ArrayList<>();
    for (RecordComponent group : EngineLimits.class.getRecordComponents()) {
      for (RecordComponent each : group.getType().getRecordComponents()) {
        Limit limit = limit(each);
        String name = group.getName() + "." + each.getName();
        rows.add(new EngineLimits.Row(name, limit.value(), limit.min(), limit.max(), limit.says()));
      }
    }
    return List.copyOf(rows);
  }

  private static Limit limit(RecordComponent component) {
    return Objects.requireNonNull(component.getAnnotation(Limit.class), component::getName);
  }

  /**
   * Checks every value of a group.
   *
   * @throws IllegalArgumentException when one is out of range
   */
  static void requireWithin(String group, Record values) {
    for (RecordComponent each : values.getClass().getRecordComponents()) {
      Limit limit = limit(each);
      int value = (Integer) get(each, values);
      if (value < limit.min() || value > limit.max()) {
        throw new IllegalArgumentException(
            "expected "
                + group
                + "."
                + each.getName()
                + " from "
                + limit.min()
                + " to "
                + limit.max()
                + ", found "
                + value);
      }
    }
  }

  static SortedMap<String, Integer> values(EngineLimits limits) {
    SortedMap<String, Integer> values = new TreeMap<>();
    for (RecordComponent group : EngineLimits.class.getRecordComponents()) {
      Object groupValue = get(group, limits);
      for (RecordComponent limit : group.getType().getRecordComponents()) {
        values.put(group.getName() + "." + limit.getName(), (Integer) get(limit, groupValue));
      }
    }
    return values;
  }

  static EngineLimits with(EngineLimits limits, Map<String, Integer> changes) {
    SortedMap<String, Integer> values = values(limits);
    for (String name : changes.keySet()) {
      if (!values.containsKey(name)) {
        throw new IllegalArgumentException(
            "expected the name of a limit, found \""
                + name
                + "\"; "
                + SpellingSuggestion.hint(name, values.keySet()));
      }
    }
    values.putAll(changes);
    return rebuild(values);
  }

  private static EngineLimits rebuild(Map<String, Integer> values) {
    RecordComponent[] groups = EngineLimits.class.getRecordComponents();
    Object[] built = new Object[groups.length];
    for (int i = 0; i < groups.length; i++) {
      RecordComponent[] limits = groups[i].getType().getRecordComponents();
      Object[] arguments = new Object[limits.length];
      for (int j = 0; j < limits.length; j++) {
        arguments[j] =
            Objects.requireNonNull(values.get(groups[i].getName() + "." + limits[j].getName()));
      }
      built[i] = construct(groups[i].getType(), limits, arguments);
    }
    return (EngineLimits) construct(EngineLimits.class, groups, built);
  }

  private static Object construct(Class<?> type, RecordComponent[] components, Object[] arguments) {
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException refused) {
        throw refused;
      }
      throw new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object get(RecordComponent component, Object record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
