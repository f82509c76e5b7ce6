#ifndef ZONES_H
#define ZONES_H

#define DEFAULT_OFFSET 0

int zone_offset(const char *name);

#endif
