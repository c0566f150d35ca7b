# A network for the product: public subnets for the load balancer, private ones for servers and database, in several zones.

data "aws_availability_zones" "here" {
  state = "available"

  filter {
    name   = "opt-in-status"
    values = ["opt-in-not-required"]
  }
}

data "aws_region" "here" {}

locals {
  zones = slice(data.aws_availability_zones.here.names, 0, var.zones)
  # Sixteen parts: the first half public, the second private, so that a further zone moves nobody.
  public  = { for index, zone in local.zones : zone => cidrsubnet(var.cidr, 4, index) }
  private = { for index, zone in local.zones : zone => cidrsubnet(var.cidr, 4, index + 8) }
  nats    = { none = [], one = slice(local.zones, 0, 1), each = local.zones }[var.nat]
}

resource "aws_vpc" "this" {
  cidr_block           = var.cidr
  enable_dns_support   = true
  enable_dns_hostnames = true
  tags                 = { Name = var.name }
}

# What names no security group reaches nobody and is reached by nobody.
resource "aws_default_security_group" "closed" {
  vpc_id = aws_vpc.this.id
}

resource "aws_internet_gateway" "this" {
  vpc_id = aws_vpc.this.id
  tags   = { Name = var.name }
}

resource "aws_subnet" "public" {
  for_each          = local.public
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = each.value
  tags              = { Name = "${var.name} public ${each.key}" }
}

resource "aws_subnet" "private" {
  for_each          = local.private
  vpc_id            = aws_vpc.this.id
  availability_zone = each.key
  cidr_block        = each.value
  tags              = { Name = "${var.name} private ${each.key}" }
}

resource "aws_eip" "nat" {
  for_each = toset(local.nats)
  domain   = "vpc"
  tags     = { Name = "${var.name} nat ${each.key}" }
}

resource "aws_nat_gateway" "this" {
  for_each      = toset(local.nats)
  allocation_id = aws_eip.nat[each.key].id
  subnet_id     = aws_subnet.public[each.key].id
  tags          = { Name = "${var.name} ${each.key}" }
  depends_on    = [aws_internet_gateway.this]
}

resource "aws_route_table" "public" {
  vpc_id = aws_vpc.this.id
  tags   = { Name = "${var.name} public" }
}

resource "aws_route" "internet" {
  route_table_id         = aws_route_table.public.id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = aws_internet_gateway.this.id
}

resource "aws_route_table_association" "public" {
  for_each       = aws_subnet.public
  route_table_id = aws_route_table.public.id
  subnet_id      = each.value.id
}

resource "aws_route_table" "private" {
  for_each = local.private
  vpc_id   = aws_vpc.this.id
  tags     = { Name = "${var.name} private ${each.key}" }
}

resource "aws_route" "nat" {
  for_each               = var.nat == "none" ? {} : aws_route_table.private
  route_table_id         = each.value.id
  destination_cidr_block = "0.0.0.0/0"
  nat_gateway_id         = aws_nat_gateway.this[var.nat == "each" ? each.key : local.zones[0]].id
}

resource "aws_route_table_association" "private" {
  for_each       = aws_subnet.private
  route_table_id = aws_route_table.private[each.key].id
  subnet_id      = each.value.id
}

# Files go to their bucket without passing (and paying) the gateway.
resource "aws_vpc_endpoint" "s3" {
  vpc_id            = aws_vpc.this.id
  service_name      = "com.amazonaws.${data.aws_region.here.region}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = [for table in aws_route_table.private : table.id]
  tags              = { Name = "${var.name} s3" }
}
