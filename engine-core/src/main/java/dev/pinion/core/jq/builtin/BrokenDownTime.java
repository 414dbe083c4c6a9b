package dev.pinion.core.jq.builtin;

import java.time.LocalDate;
import java.time.LocalDateTime;

/**
 * The parts of a time as they were written: they may be beyond their range, such as the 31st of
 * February.
 *
 * @param month from 1
 * @param date the day that is meant
 */
record BrokenDownTime(
    int year, int month, int day, int hour, int minute, int second, LocalDate date) {
  static BrokenDownTime of(LocalDateTime time) {
    return new BrokenDownTime(
        time.getYear(),
        time.getMonthValue(),
        time.getDayOfMonth(),
        time.getHour(),
        time.getMinute(),
        time.getSecond(),
        time.toLocalDate());
  }
}
